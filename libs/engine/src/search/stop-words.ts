/** Words of questions and grammar: they name nothing, so a query is searched without them when it has other words. */
const stopWords = new Set(
  (
    'a about after all also am an and any are as at be been before being below besides between both but by can could ' +
    'did do does done each either else every for from give given go had has have he her here him his how i if in into ' +
    'is it its just let like many may me might more most much must my no nor not of off on one ones or other our out ' +
    'over please said say says she should so some such tell than that the their them then there these they this those ' +
    'to too under until up upon us was we were what when where whether which while who whom whose why will with within ' +
    "without would you your it's what's that's don't doesn't didn't isn't wasn't"
  ).split(' '),
);

export const isStopWord = (word: string): boolean => stopWords.has(word);
