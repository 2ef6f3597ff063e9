/** Phrases that keep a conversation pleasant and say nothing about the work. */
const polite =
  /\b(?:let me know|feel free|have a (?:great|nice|good|safe|wonderful)|thanks?(?: you| again| so much| for)|you(?:['’]re| are) welcome|glad|happy to (?:help|assist)|sorry|apologi[sz]e|anything else|(?:can|may|could) i (?:help|assist)|(?:hold on|one moment|bear with)|safe travels|i hope|no problem|of course|certainly|great question|understand(?: your)? (?:concern|frustration)|appreciate|sounds good|reach out|assist you (?:further|with)|(?:do|try|doing|trying) (?:my|our) best)\b|\bi(?:['’]d| can|['’]ll| will)(?: be| certainly| definitely| gladly| surely)* (?:help|assist)(?: you)?(?: with (?:that|this|it|your \w+))?[.!]*$/i;
/** A request for what the other side has to say: it is nothing that was found or decided. */
const asksBack =
  /\b(?:could|can|would|will) you (?:please |kindly )?(?:provide|confirm|share|tell|specify|clarify|let)|\bplease (?:provide|confirm|share|specify|let|hold|wait|reply)|\bwould you like\b|\bto proceed\b.{0,200}\b(?:need|confirm|provide)/i;

/** Tells whether a sentence only keeps the conversation going: thanks, offers of help, questions back. */
export const isPoliteness = (sentence: string): boolean => polite.test(sentence) || isAsked(sentence);

/** Tells whether a sentence asks the other side for an answer. */
export const isAsked = (sentence: string): boolean => asksBack.test(sentence) || /\?["'”’)]*$/.test(sentence);

const agreeing = new Set(
  'yes yeah yep yup ok okay sure correct right great perfect good fine nice wow awesome excellent amazing brilliant fantastic wonderful super lovely sweet neat haha oh ah hmm thanks thank you please go ahead continue proceed do it done cool alright that thats all is bye goodbye sounds good now and so much very well works for me'.split(
    ' ',
  ),
);

/** Of the languages in which a short answer is likely beside English. `n't` is read as `not`. */
const refusing = new Set(
  'no nope nah not never nevermind stop dont doesnt wont cant nein nö nicht niemals nie stopp halt non pas jamais arrête arrêtez nunca jamás basta não nao nee niet nooit nej inte aldrig ikke nie'.split(
    ' ',
  ),
);

/** Words of a refusal beside those that refuse: they name nothing that could be asked for. */
const besideRefusal = new Set(
  'ok okay hmm well please pls sorry thanks thank you i id we wed do it that now yet wait hold on go ahead continue proceed need want to let lets us just rather any more so really definitely absolutely bitte'.split(
    ' ',
  ),
);

/**
 * A "no" that refuses nothing: thanks, and the answer to whether there is anything else. The mark is that of a simulated
 * user.
 */
const harmless =
  /#+stop#+|\bn(?:o|ope|ah)\b[,.!;]*\s+(?=(?:(?:no|nope|please|just|ok|okay)\b[,.!;]*\s+)*(?:go (?:ahead|on)|continue|proceed|do it|carry on)\b|thank|thx|that(?:['’]?s|['’]ll| is| was| will)\b|all good\b|(?:i|we)(?:['’]?m|['’]re| am| are) (?:good|fine|done|all set)\b|(?:more|further|other) questions\b|[^.!?]{0,40}\b(?:good)?bye\b)|\bno (?:problem|worries|rush|hurry|doubt|big deal)\b/g;

/** Words that ask to go on, although one of them refuses: "Do not wait", "No, do that". */
const urging =
  /\b(?:not|never|dont|no need)(?: \w+){0,3} (?:stop|wait|hold)\b|(?<!\b(?:not|never|dont|stop|nicht)(?: \w+){0,3} )\b(?:do (?:it|that)|go (?:ahead|on)|continue|proceed)\b/;

const maxShort = 200;

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(harmless, ' ok ')
    .replace(/n['’]t\b/g, ' not')
    .replace(/\bnever mind\b/g, 'nevermind')
    .replace(/['’]/g, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** A message of the user that only agrees, thanks or says goodbye. What refuses anything does not agree. */
export function isAgreement(text: string): boolean {
  if (text.length > maxShort || /\d/.test(text)) return false;
  const words = wordsOf(text);
  if (words.some((word) => refusing.has(word))) return false;
  const other = words.filter((word) => !agreeing.has(word));
  return other.length <= Math.min(2, words.length / 4);
}

const isOfRefusal = (word: string): boolean => refusing.has(word) || besideRefusal.has(word);

/** By the first word, which most texts that refuse nothing are known by. One with an apostrophe is more than one word. */
function mayRefuse(text: string): boolean {
  const first = /[\p{L}\p{N}'’]+/u.exec(text)?.[0].toLowerCase() ?? '';
  return /['’]/.test(first) || isOfRefusal(first);
}

/** A text that says no to what was just said or done, and nothing else: "No, stop!", "Please don't do it." */
export function isShortRefusal(text: string): boolean {
  if (text.length > maxShort || !mayRefuse(text) || /\?["'”’)]*$/.test(text.trimEnd())) return false;
  const words = wordsOf(text);
  return (
    words.some((word) => refusing.has(word)) &&
    words.every((word) => isOfRefusal(word)) &&
    !urging.test(words.join(' '))
  );
}
