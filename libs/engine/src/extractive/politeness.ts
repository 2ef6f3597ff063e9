/** Phrases that keep a conversation pleasant and say nothing about the work. */
const polite =
  /\b(?:let me know|feel free|have a (?:great|nice|good|safe|wonderful)|thanks?(?: you| again| so much| for)|you(?:['’]re| are) welcome|glad|happy to (?:help|assist)|sorry|apologi[sz]e|anything else|(?:can|may|could) i (?:help|assist)|(?:hold on|one moment|bear with)|safe travels|i hope|no problem|of course|certainly|great question|understand(?: your)? (?:concern|frustration)|appreciate|sounds good|reach out|assist you (?:further|with)|(?:do|try|doing|trying) (?:my|our) best)\b|\bi(?:['’]d| can|['’]ll| will)(?: be| certainly| definitely| gladly| surely)* (?:help|assist)(?: you)?(?: with (?:that|this|it|your \w+))?[.!]*$/i;
/** A request for what the other side has to say: it is nothing that was found or decided. */
const asksBack =
  /\b(?:could|can|would|will) you (?:please |kindly )?(?:provide|confirm|share|tell|specify|clarify|let)|\bplease (?:provide|confirm|share|specify|let|hold|wait|reply)|\bwould you like\b|\bto proceed\b.{0,200}\b(?:need|confirm|provide)/i;

/** Tells whether a sentence only keeps the conversation going: thanks, offers of help, questions back. */
export const isPoliteness = (sentence: string): boolean =>
  polite.test(sentence) || asksBack.test(sentence) || /\?["'”’)]*$/.test(sentence);

const agreeing = new Set(
  'yes yeah yep yup ok okay sure no nope correct right great perfect good fine nice wow awesome excellent amazing brilliant fantastic wonderful super lovely sweet neat haha oh ah hmm thanks thank you please go ahead continue proceed do it done cool alright that thats all is bye goodbye stop sounds good now and so much very well works for me'.split(
    ' ',
  ),
);

/** A message of the user that only agrees, thanks or says goodbye. */
export function isAgreement(text: string): boolean {
  if (text.length > 200) return false;
  const words =
    text
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const other = words.filter((word) => !agreeing.has(word));
  return other.length <= Math.min(2, words.length / 4) && !/\d/.test(text);
}
