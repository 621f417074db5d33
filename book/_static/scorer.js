// How the search orders what it finds: Sphinx's weights, but chapters before the glossary, the API
// last, and first of all the page that book/keywords.yml names for what was searched for. That page
// is found even where a question has words that are not on it.
// Sphinx asks for this name; Search, Stemmer and stopwords are its own.
// oxlint-disable-next-line no-unused-vars, no-var
var Scorer = (() => {
  const stemmer = new Stemmer();
  const wordsOf = (text) => [
    ...new Set(
      text
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word && (word === "no" || !stopwords.includes(word)))
        .map((word) => stemmer.stemWord(word)),
    ),
  ];
  const asked = wordsOf(new URLSearchParams(globalThis.location?.search ?? "").get("q") ?? "");
  // a page names first what it is the first page for
  const pointsOf = (phrase, i) => {
    const words = wordsOf(phrase);
    const common = words.filter((word) => asked.includes(word)).length;
    if (!common || common < Math.min(words.length, asked.length)) return 0;
    if (words.length === asked.length) return 700 - i;
    // of a longer question the longest phrase decides
    return 300 - i + (common === words.length ? 20 * common : 0);
  };
  const named = {};
  for (const [place, phrases] of Object.entries(__KEYWORDS__)) {
    const [page, section] = place.split("#");
    const points = Math.max(...phrases.map(pointsOf));
    if (points > (named[page]?.points ?? 0)) named[page] = { points, section };
  }

  // The first section of a page that holds the answer, as a result of the search.
  const resultOf = (page) => {
    const { docnames, titles, alltitles, filenames } = Search._index;
    const file = docnames.indexOf(page);
    const anchor = named[page].section ?? null;
    const title = Object.keys(alltitles).find((name) =>
      alltitles[name].some(([place, id]) => place === file && id === anchor),
    );
    const name = anchor && title ? `${titles[file]} > ${title}` : titles[file];
    return [page, name, anchor ? `#${anchor}` : "", null, 0, filenames[file]];
  };
  if (typeof Search === "object") {
    const strict = Search.performTermsSearch;
    Search.performTermsSearch = (...terms) => {
      const pages = Object.keys(named).filter((page) => Search._index.docnames.includes(page));
      return [
        ...strict(...terms).filter(([page]) => !pages.includes(page)),
        ...pages.map(resultOf),
      ];
    };
  }
  const home = (page) => {
    if (page.startsWith("notebooks/") || page === "book/tasks") return 100;
    return page.startsWith("book/api/") ? -10 : 0;
  };
  return {
    // of the hits in one page, the one that was named comes first
    score: ([page, , anchor, , points]) => {
      const { points: more = 0, section = "" } = named[page] ?? {};
      return points + home(page) + more - (more && anchor !== (section && `#${section}`) ? 5 : 0);
    },
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
