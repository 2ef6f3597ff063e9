/**
 * Words that say little where many lines have them, and much where one has. Parts of names are no words:
 * `error-handler`.
 */
export const hints: readonly RegExp[] = [
  // A count of none is no hint: `failed=0`, `0 errors`.
  /(?<![\w/-]|\w\.|\b0 )(?:errors?|err|fail(?:s|ed|ing|ures?)?|fatal|exceptions?|panic(?:ked|s)?|crash(?:es|ed|ing)?|abort(?:s|ed|ing)?|kill(?:s|ed)?)(?![\w/-]|\.[a-z]|["']?\s?[=:]\s?0(?![\d.]))/i,
  /(?<![\w/-])(?:refus(?:es|ed)|reject(?:s|ed|ion)?|den(?:y|ied|ies)|forbidden|unauthori[sz]ed|unreachable|unavailable|unhealthy|degraded|declined)(?![\w/-])/i,
  /(?<![\w/-])(?:corrupt(?:ed|ion)?|broken?|broke|lost|missing|mismatch(?:ed)?|differs?|illegal|unexpected(?:ly)?|unknown|unresolved|undefined|unable|cannot)(?![\w/-])/i,
  /(?<![\w/-])(?:deadlock(?:ed)?|overflow(?:ed|s)?|time[ds]?[ _-]?out|exceed(?:s|ed)|exhausted|conflict(?:s|ed|ing)?|violat(?:es|ed|ions?)|dropped|leak(?:ed|s)?)(?![\w/-])/i,
  /(?<![\w/-])(?:stuck|silent|stale|dead|gave up|giving up|read-only|severe|critical|alert|emergency|segfault|oom|oops|bad|wrong|poison(?:ed)?|fault(?:s|ed|y)?)(?![\w/-])/i,
  /(?<![\w/-])(?:halt(?:ed|s)?|evicted|throttled|rolled? ?back|reset by peer|no (?:route|space|such|answer|response|reply)|is full|\d% full|signal \d{1,2})(?![\w/-])/i,
  /(?<![\w/-])(?:expired|revoked|cancell?ed|terminated|bounced|starved|stalled|hung|damaged|missed|malformed|uninitiali[sz]ed|impossible|duplicate|refusing|quit|regress(?:ed|ion))(?![\w/-])/i,
  /(?<![\w/-])(?:in(?:valid|complete|correct|consistent|sufficient|compatible|accessible)|un(?:supported|balanced|recoverable|readable|usable)|vulnerab\w{1,6}|suspicious|imbalance)(?![\w/-])/i,
  /(?<![\w/-])(?:not|never|went away|gone|used up|turned down|out of (?!\d)\w{3,20}|too (?:many|few|old|new|open|high|low|large|big|long|short|small|late|early|slow|much))(?![\w/-])/i,
  /(?<![\w/-])(?:(?:above|below|over|beyond|under) (?:the )?(?:threshold|limit|minimum|maximum|quota|budget)|(?:is|are|was|went|goes) down|behind)(?![\w/-])|\bNOK\b|\bDOWN\b|\bNaN\b/,
  /\bexit(?:ed)? (?:with )?(?:code |status )?[1-9]\d{0,2}\b|\b(?:can|could|wo|did|does|is|was)n['’]t\b|\bcan['’]t\b/i,
  /[a-z](?:Error|Exception|Failure)\b|#(?:REF|N\/A|VALUE|DIV\/0|NAME|NULL|NUM)[!?]?/,
  // The same in other languages: programs speak that of the machine they run on.
  // German, Dutch.
  /(?<![\w/-])(?:fehler\w{0,12}|fehlgeschlagen|fehlt|gescheitert|verweigert|abgelehnt|abgebrochen|ung\S{1,2}ltig\w?|unerwartet\w?|nicht|ausnahme|fout|mislukt|geweigerd)(?![\w/-])/i,
  // French.
  /(?<![\w/-])(?:erreurs?|\S{1,2}chec|\S{1,2}chou\S{1,2}|impossible|introuvable|refus\S{1,3}|invalide|inattendue?|manquante?|interdite?|non trouv\S{1,3})(?!\w)/i,
  // Spanish, Portuguese, Italian.
  /(?<![\w/-])(?:errores|erros?|errore|fall(?:a|o|\S{1,2})|falh(?:a|as|ou)|fallit[oa]|no (?:se )?(?:pud[oe]|puede|existe)|rechazad[oa]|recusad[oa]|denegad[oa]|negad[oa]|imposible|impossibile|rifiutat[oa])(?!\w)/i,
];

/** Languages in other scripts, whose letters no automaton of ASCII words knows. */
const otherScripts = /[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;
const otherScriptHints =
  /ошибк|не (?:удалось|удается|удаётся|найден|может|отвечает)|невозможно|отказ|сбой|превышен|поврежд|неверн|недоступ|エラー|失敗|異常|ません|拒否|無効|不正|例外|タイムアウト|错误|失败|异常|无法|找不到|拒绝|无效|超时|不存在|损坏|错漏|錯誤|無法|逾時|오류|실패|거부|예외|초과|없습니다/i;

/** Does a line in Cyrillic, Japanese, Chinese or Korean hint at a failure? */
export const hintsInOtherScript = (line: string): boolean =>
  otherScripts.test(line) && otherScriptHints.test(line);
