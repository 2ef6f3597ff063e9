import { oneOf } from './one-of.js';

/** Something is allowed from now on. */
export const permits = oneOf([
  // Feel free to X, I am happy for you to X, do it as often as you like.
  /^(?:feel free|don't hesitate|do not hesitate|don't be (?:shy|afraid)) to (?!(?:ask|reach|contact|let|correct|call|write|get|tell|email|message|say|drop|shout|ping|take (?:a|your|some)|join|enjoy|laugh)\b)\w/,
  /^(?:i'm|i am|we're|we are) (?:happy|fine|ok|okay|good|comfortable|cool) (?:for|with|if) you(?:r)?\b/,
  /^by all means,? \w|\bas (?:often|much|many(?: [\w-]+){0,3}|long|far|freely) as you (?:like|want|wish|please|need|see fit)\b/,
  /^(?:it's|it is|that's) (?:ok|okay|fine|alright|all right) (?:to|if you) \w+[^.]*\b(?:as you go|along the way|in (?:my|your)|when\b|now and then)/,
  // You need not show me diffs any more.
  /^(?:you (?:don't|do not|needn't|no longer) ?(?:need|have)? ?(?:to )?|no need to |stop )\w+ [^.]*\b(?:any ?more|any longer|every time|each time|from now on)\b/,
  // Commits without asking are fine.
  /^(?!(?:i|it|that|this|there|he|she|they|we|the|everything|all|today|tomorrow|\d+|(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning|afternoon|evening)\b)[^.?,]{2,60}? (?:is|are) (?:fine|ok|okay|acceptable|allowed|welcome|permitted|alright|all right)\b(?! (?:now|today|with the|on (?:my|the)|again)\b)(?!.*\?)/,
  // You can order from Acme again.
  /^you (?:may|can) (?:now )?(?!(?:see|find|get|have|imagine|tell|read|ask|check|try|reach|hear|log|sign)\b)\w+ [^.?]*\bagain\b/,
  // Deploying on Fridays is fine again.
  /^(?!(?:nothing|everything|anything|something)\b)\w+ing [^.?,]{2,60}? is (?:now )?(?:fine|ok|okay|acceptable|allowed|permitted|alright|all right) (?:again|now)\b/,
  /^(?!(?:i|it|that|this|there|he|she|they|we|you|the)\b)[^.?,]{2,60}? (?:may|can) (?:also |simply |just |always )?be (?:told|left|used|shared|given|skipped|ignored|dropped|deleted|changed|sent|bought|merged|booked|cut)\b/,
  // Groceries you can reorder on your own.
  /^(?!(?:i|it|that|this|there|the)\b)[^.?,]{2,50}? you (?:can|may) (?:also |simply |just |always |freely )*(?!(?:see|find|get|have|imagine|tell|read)\b)\w+(?: [^.]*)?(?:on your own|yourself|without|any ?time|directly)\b|^(?!(?:i|it|that|this|there|the)\b)[^.?,]{2,50}? you (?:can|may) (?:simply|just|always|freely) \w/,
  // You can skip X when Y.
  /^you (?:can|may) (?!(?:see|find|get|have|imagine|tell|read|ask|check|download|reach|call|go|use)\b)\w+ [^.]*\b(?:when(?:ever)?|as long as|if only|provided)\b/,
  /^(?:you|you're) (?:don't|do not|needn't|no longer) ?(?:need|have)? ?(?:to )?(?:ask|check|wait|confirm|get|tell|clear|run|request|bother)\b/,
  /^(?:no need to|there's no need to|no longer any need to) (?:ask|check|wait|confirm|get|tell|clear|run (?:it|things|this) by|cc|copy)\b/,
  /^(?:you(?: have|'ve)(?: got)? (?:my |our |full |standing |blanket |a |the )*(?:permission|authority|go-ahead|ok|okay|consent|blessing|free hand|approval)|you(?:'re| are) (?:now |also )?(?:free|allowed|welcome|permitted|authorized|cleared|good) to|i (?:authorize|allow|permit) you to|i(?:'m| am) (?:fine|ok|okay|happy|comfortable) with (?:you|it if you)|i trust you to)\b/,
  /^(?:you (?:may|can)|feel free to|(?:it's|it is|that's|it'd be) (?:ok|okay|fine|alright|all right|allowed|perfectly fine)(?: with me| by me)?(?: (?:to|if you|for you to))|go ahead and)\b(?=.*\b(?:without (?:asking|checking|my|approval|confirmation|confirming|permission|telling|prior)|on your own|whenever|any ?time|freely|from now on|going forward|as you (?:like|wish|see fit|please)|always|yourself|directly|anything|anyone|everything|any (?:\w+ )?(?:under|below|up to|that|which|you)|as long as|at will|if (?:you (?:need|want|think|find|see|have)|needed|necessary|it helps|the tests))\b)/,
  /^you (?:may|can) (?:now |also |again )?(?:commit|push|merge|deploy|send|reply|email|spend|approve|delete|edit|change|install|restart|skip|ignore|share|mention|post|refund|touch|rename|use [^.]{1,40}\bagain) ?[^.]*\b(?:now|again|after all|any|all|every|yourself|directly|freely|too|up to|from now on)\b/,
]);
