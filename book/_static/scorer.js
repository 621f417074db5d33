// How the search orders what it finds: Sphinx's weights, but chapters before the glossary, and the
// API last. Sphinx asks for this name.
// oxlint-disable-next-line no-unused-vars, no-var
var Scorer = {
  score: ([page, , , , points]) =>
    points + (page.startsWith("notebooks/") ? 100 : page.startsWith("book/api/") ? -10 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
