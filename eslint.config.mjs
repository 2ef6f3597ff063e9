import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const clockAndChance = [
  { object: 'Date', property: 'now', message: 'The engine is pure: take the time as an argument.' },
  { object: 'Math', property: 'random', message: 'The engine is pure: take the number as an argument.' },
];

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/**',
      '**/dist/**',
      '**/.next/**',
      'libs/store/src/generated/**',
      'libs/client/src/schema.ts',
      '**/next-env.d.ts',
      '.nx/**',
      '.cache/**',
      '.spillway/**',
      // Fragments of pages use their names: the check of code blocks compiles them.
      'docs/preludes/**',
      'site/.pages/**',
      'site/.output/**',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: [
          'libs/*/tsconfig.json',
          'libs/adapters/*/tsconfig.json',
          'apps/*/tsconfig.json',
          '{tools,bench,site}/tsconfig.json',
          'tsconfig.tests.json',
        ],
      },
    },
    rules: {
      'max-lines': ['error', { max: 300, skipBlankLines: true }],
      'no-restricted-properties': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    },
  },
  {
    // docs/glossary.md has the terms to use. The folders that are left out still have former names.
    files: ['**/*.{ts,tsx}'],
    ignores: [
      'libs/engine/src/outputs/preview/**',
      'libs/engine/failure-samples/**',
      'bench/src/previews/**',
    ],
    rules: {
      'id-denylist': ['error', 'said', 'told', 'wishes', 'nobody', 'standIn'],
      'id-match': [
        'error',
        '^(?!(most|least)[A-Z])(?!.*(Wishes|StandIn)$)',
        { properties: true, ignoreDestructuring: false },
      ],
    },
  },
  {
    files: ['libs/engine/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-properties': ['error', ...clockAndChance],
      'no-restricted-globals': ['error', 'process', 'setTimeout', 'setInterval', 'fetch'],
    },
  },
  {
    files: [
      'libs/{engine,service,store,jobs,llm,blobs,contracts}/src/**/*.ts',
      'apps/{api,worker}/src/**/*.ts',
    ],
    // oneOf joins patterns of our own.
    ignores: ['**/*.test.ts', 'libs/service/src/env.ts', 'libs/engine/src/instructions/phrases/one-of.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'NewExpression[callee.name="RegExp"]',
          message: 'Patterns from outside go to RE2 (libs/blobs/grep.ts).',
        },
        { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
        {
          selector:
            'CallExpression[callee.object.name="Math"] > SpreadElement, CallExpression[callee.property.name=/^(push|unshift)$/] > SpreadElement',
          message: 'Arguments go on the stack, which overflows at about 100,000: loop or reduce instead.',
        },
        {
          selector: 'Identifier[name=/^\\$(query|execute)RawUnsafe$/]',
          message: 'Use a prepared statement in libs/store/sql.',
        },
      ],
    },
  },
  {
    files: ['**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
  },
  prettier,
);
