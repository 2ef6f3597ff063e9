/** "I'd like you to", "I need you to", "I'd appreciate it if you". What follows is what is asked. */
export const wanted =
  /^(?:i|we)(?:'d| would)?(?: (?:really|strongly|also|just|actually|always|only|still|very much))? (?:(?:want|need|like|love|expect|prefer|ask|require|trust|urge|instruct|tell) (?:that )?you(?: all)?(?: (?=(?:to|not|never|always|only|keep|use|stick|avoid|don't)\b))|(?:appreciate|like|love|prefer) it (?:a lot |very much )?if you (?:could |would |can )?|prefer if you (?:could |would |can )?|be (?:grateful|happy|glad|happier) if you (?:could |would )?|rather you (?=(?:always|only|just)\b)(?:always |only )?)/;

/** A taste that holds for what comes, or a fact about the person that every step has to respect. */
export const prefers: readonly RegExp[] = [
  /^(?:i|we)(?: (?:always|generally|usually|strongly|really|much|vastly|greatly|still|now))? prefer (?!(?:to (?:be|pay|keep|cancel|book|change|use the|go with)|the (?:first|second|third|cheap|other|one)|not to|that one|this one|a (?:flight|refund|full)|flights)\b)\w/,
  /^(?:i|we)(?:'d| would)(?: (?:always|generally|usually|strongly|really|much))? (?:rather|prefer)(?: that)? (?:you|we|if you|your|all|every|answers|replies|short|small|plain|no|to be (?:called|addressed))\b/,
  /^(?:i|we)(?: (?:always|only|really|generally|usually|want|'d like))? (?:like|love|want|need|expect|hate|dislike|can't stand|don't like|do not like) (?:my (?!\w+ (?:cancel|refund|chang|upgrad|back|money))|your|every (?!detail)|short|concise|brief|plain|small|long|detailed|simple|clear|direct|honest|blunt|everything in|answers|replies|responses|explanations|commits|emojis?|all (?:amounts|prices|answers|dates|replies|code|numbers|output|commits|messages|texts?|files|names)|the tests run|to (?:get|see|read|have|hear) [^.]*\b(?:always|every|each|in (?:english|euros|german|metric)|only))/,
  /^my (?:\w+ )?preferences? (?:is|are|would be)\b|^preferred \w+(?: \w+)?(?: is|:)/,
  /^(?:(?:that|and) )?(?:i|we) (?:only|exclusively|never) (?:fly|eat|drink|accept|take|use|work|read|sit|stay|travel|meet|buy|write|speak|deploy|ship|support|target|run|wear|shop|book|do)\b(?!.*\b(?:this time|once)\b)/,
  /^(?:i'm|i am|we're|we are|my (?:son|daughter|wife|husband|partner|kid|child|mother|father) is) (?:\w+ly )?(?:\w+ )?(?:vegan|vegetarian|allergic|lactose|celiac|coeliac|gluten|colou?r-?blind|deaf|blind|dyslexic|kosher|halal|diabetic|hard of hearing|pregnant|intolerant)\b/,
  /^(?:keep|bear) in mind|^(?:remember|note|don't forget|do not forget)(?: that|:)? (?:i|i'm|we|we're|my|our|the (?:customer|client|user|team|audience))\b(?!.*\b(?:file|yesterday|last)\b)/,
  /^(?:favou?r|default to|lean towards?|err on the side of|go easy on|prefer|prioriti[sz]e|opt for|stick (?:to|with)|give (?:preference|priority) to)\b/,
];
