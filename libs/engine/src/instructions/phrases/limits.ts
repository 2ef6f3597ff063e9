import { oneOf } from './one-of.js';

/** A bound that is not to be crossed. */
export const limits = oneOf([
  /^(?:keep|limit|cap|restrict|hold|cut|trim|bound) [^.]{1,80}\b(?:under|below|within|to|at|shorter than|less than|fewer than|no (?:more|longer) than|at most|max(?:imum)?|or (?:less|fewer|under|shorter|below))\b/,
  /^(?:always )?stay (?:under|below|within)\b/,
  /^(?:spend|use|write|send|give|list|show|make|change|touch|return|offer|include|add|ask|run|open|take|approve|suggest|propose|read|print|keep)(?: me)? (?:at most|no more than|not more than|a maximum of|max|up to|never more than|less than|fewer than|only (?:one|two|three|four|five|\d+))\b/,
  /^(?:at most|no more than|not more than|no fewer than|never more than|a maximum of|max(?:imum)?(?: of)?|up to|not over|nothing (?:over|above|longer than|more expensive than|beyond)|no longer than) (?:\S{1,3} ?)?(?:\d|one\b|two\b|three\b|four\b|five\b|six\b|ten\b|a (?:hundred|dozen|handful))/,
  /^(?!(?:i|it|there|that|this|he|she)\b)[^.?]{2,70}? (?:must|may|should|shall|can|has to|have to|is to|are to|needs? to)(?: not|n't| never)? (?:exceed|be (?:no more|at most|at least|under|below|less|fewer|shorter|longer|more than|within|over|above)|stay (?:under|below|within)|fit (?:in|on|into|under|within)|take (?:no more|longer|more)|cost|go (?:over|above|beyond|past)|last)\b/,
  /^(?:(?:my|our|the|your|a|we have a|there's a|i have a|i've a|i've got a)? ?)(?:hard |strict |firm |total |absolute |overall |monthly |daily |weekly |spending |upper |maximum |max |travel |new )*(?:budget|limit|cap|ceiling|maximum|deadline)(?: for [^.]{1,40}| per \w+| on [^.]{1,30})? ?(?:(?:is|stays|remains|=|:|goes (?:up|down) to|can go up to)\b.*\d|of \D{0,4}\d)/,
  /^(?:i|we)(?: (?:can|will|could|am willing to|are willing to)|'m willing to|'ll)(?: only)? (?:pay|spend|afford|go) (?:at most|no more than|up to|only|a maximum of|max)\b/,
  /^(?!(?:i|it|there|that|this|he|she|the|my)\b)[^.?]{2,60}? (?:is|are) (?:fine|ok|okay|good|allowed) (?:up to|below|under|as long as)\b/,
  /^(?:i|we) (?:expect|want|accept|take|only want|only read) [^.]{2,60} (?:of|under|below|within|up to|at most) [^.]{0,20}\d+[^.]{0,20}(?:or (?:less|fewer)|max|at most|$)/,
  /^(?:nothing|none|no \w+) (?:bigger|larger|longer|older|newer|more|smaller|cheaper|later|earlier) than\b/,
  /^\w+ (?:attempts?|tries|retries),? then (?:stop|give up|ask|report|tell)\b/,
  /^(?:keep|rotate|trim|prune|cut|split|limit|size|batch) [^.]{1,40} so (?:that )?(?:they|it|each|none|no \w+) (?:never|doesn't|don't|stays?|fits?)\b/,
  /^one \w+ (?:at a time|per \w+)\b/,
  /^(?!(?:i|it|there|that|this|he|she|we)\b)[^.?]{0,60}\b(?:at most|max(?:imum)?|no more than|up to|fewer than|less than|under|below|not more than|within) (?:\S{1,3} ?)?(?:\d+|one|two|three|four|five|six|ten|twenty|fifty|a hundred) ?(?:words?|lines?|sentences?|characters?|chars?|bullets?|bullet points?|paragraphs?|pages?|items?|tokens?|points?|slides?|options?)\b/,
]);
