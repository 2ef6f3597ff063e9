/** Rules of this repository that oxlint does not have. */

const patterns = {
  create: (context) => ({
    NewExpression(node) {
      if (node.callee.name === 'RegExp')
        context.report({ node, message: 'Patterns from outside go to RE2 (libs/blobs/src/grep).' });
    },
  }),
};

const enums = {
  create: (context) => ({
    TSEnumDeclaration(node) {
      context.report({ node, message: 'Use a union of string literals.' });
    },
  }),
};

/** Whether a call puts each element of a list on the stack, as an argument of its own. */
const spreadsInto = ({ callee, arguments: given }) =>
  callee.type === 'MemberExpression' &&
  (callee.object.name === 'Math' || ['push', 'unshift'].includes(callee.property.name)) &&
  given.some(({ type }) => type === 'SpreadElement');

const spreads = {
  create: (context) => ({
    CallExpression(node) {
      if (spreadsInto(node))
        context.report({
          node,
          message: 'Arguments go on the stack, which overflows at about 100,000: loop or reduce instead.',
        });
    },
  }),
};

const statements = {
  create: (context) => ({
    Identifier(node) {
      if (/^\$(query|execute)RawUnsafe$/.test(node.name))
        context.report({ node, message: 'Use a prepared statement in libs/store/src/sql.' });
    },
  }),
};

/** Compounds of terms that docs/glossary.md denies; whole words are the list of id-denylist. */
const deniedCompound = /^(most|least)[A-Z]|(Wishes|StandIn)$/;

const terms = {
  create: (context) => ({
    Identifier(node) {
      if (deniedCompound.test(node.name))
        context.report({ node, message: `docs/glossary.md has another term for ${node.name}.` });
    },
  }),
};

export default {
  meta: { name: 'own' },
  rules: {
    'no-made-pattern': patterns,
    'no-enum': enums,
    'no-spread-argument': spreads,
    'no-unsafe-statement': statements,
    'standard-terms': terms,
  },
};
