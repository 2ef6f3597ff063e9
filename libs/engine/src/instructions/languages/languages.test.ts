import { expect, test } from 'vitest';
import { kindOfSentence, verdictOn } from '../classify.js';
import { sentencesIn } from '../own-words.js';
import { isEnglish } from './is-english.js';

const rules = {
  German: 'Antworte ab jetzt immer auf Deutsch.',
  French: 'Ne supprime jamais de fichiers sans me demander.',
  Spanish: 'A partir de ahora responde siempre en español.',
  Italian: 'Rispondi sempre in italiano.',
  Portuguese: 'Nunca apague arquivos sem perguntar.',
  Dutch: 'Gebruik voortaan geen emoji meer.',
  Polish: 'Zawsze pytaj mnie, zanim coś usuniesz.',
  Russian: 'Не удаляй файлы без моего разрешения.',
  Chinese: '从现在开始，请始终用中文回答。',
  Japanese: '今後は必ず日本語で答えてください。',
  Korean: '앞으로는 항상 한국어로 답해 주세요.',
};

test.each(Object.entries(rules))('an instruction in %s is found', (_, text) => {
  expect(isEnglish(text)).toBe(false);
  expect(kindOfSentence(text)).toMatch(/^(?:prohibition|preference)$/);
});

test.each([
  'Kannst du mir sagen, warum der Test fehlschlägt?',
  'Ich habe gestern den Server neu gestartet.',
  'Merci, ça marche maintenant.',
  '¿Por qué falla la prueba?',
  'Ieri ho aggiornato le dipendenze.',
  'Вчера всё работало.',
  '为什么测试失败了？',
  'ありがとうございます、直りました。',
])('ordinary talk is none: %s', (text) => {
  expect(kindOfSentence(text)).toBeNull();
});

test('what forbids is a ban', () => {
  expect(kindOfSentence(rules.French)).toBe('prohibition');
  expect(kindOfSentence(rules.German)).toBe('preference');
});

test.each([
  'Use tabs.',
  'Call the branch Gemütlichkeit.',
  'Metric only, my oven is German.',
  'Deploy v2.3.1 to staging.',
  'OK',
  '42',
])('English, names and numbers are left to the rules of English: %s', (text) => {
  expect(isEnglish(text)).toBe(true);
});

test('an item of a list of rules needs less evidence', () => {
  expect(verdictOn('Termine nur am Vormittag.')).toBe('possible');
  const [item] = sentencesIn('Ground rules:\n- Termine nur am Vormittag.').slice(1);
  expect(verdictOn(item!.text, item)).toBe('preference');
});

test('sentences without spaces between them are told apart', () => {
  expect(sentencesIn('测试失败了。请不要修改数据库！谢谢你').map(({ text }) => text)).toEqual([
    '测试失败了。',
    '请不要修改数据库！',
    '谢谢你',
  ]);
});
