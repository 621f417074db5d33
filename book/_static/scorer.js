// How the search orders what it finds: Sphinx's weights, but chapters before the glossary, the API
// last, and first of all the page that book/keywords.yml names for what was searched for.
// Sphinx asks for this name.
// oxlint-disable-next-line no-unused-vars, no-var
var Scorer = (() => {
  const plain = (text) =>
    ` ${text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()} `.replace(/s(?= )/g, "");
  const asked = plain(new URLSearchParams(globalThis.location?.search ?? "").get("q") ?? "");
  const wanted = Object.entries(__KEYWORDS__).map(([page, phrases]) => {
    // a page names first what it is the first page for
    const points = phrases.map((phrase, i) => {
      const words = plain(phrase);
      if (words === asked) return 700 - i;
      // of a longer question the longest phrase decides
      if (asked.includes(words)) return 300 - i + 20 * words.trim().split(" ").length;
      return asked.trim() && words.includes(asked) ? 300 - i : 0;
    });
    return [page, Math.max(0, ...points)];
  });
  const named = Object.fromEntries(wanted);
  const home = (page) => {
    if (page.startsWith("notebooks/") || page === "book/tasks") return 100;
    return page.startsWith("book/api/") ? -10 : 0;
  };
  return {
    // of the hits in one page, its title comes before its sections
    score: ([page, , anchor, , points]) =>
      points + home(page) + (named[page] ?? 0) - (named[page] && anchor ? 5 : 0),
    objNameMatch: 11,
    objPartialMatch: 6,
    objPrio: { 0: 15, 1: 5, 2: -5 },
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2,
  };
})();
