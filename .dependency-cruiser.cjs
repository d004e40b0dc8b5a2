/**
 * Who may import whom. A room is a folder of src; each may import itself and what is listed here, and nothing else of
 * ours. The rules below are made from this table.
 */
const ADAPTERS = ['sources', 'classify', 'channels', 'payments', 'models']
const CONTRACTS = ADAPTERS.map((room) => `${room}/contract.ts`)
const RULES_AND_BASE = ['domain', 'kernel']
const WRITE_SIDE = ['queries', 'store', 'matching', ...CONTRACTS, ...RULES_AND_BASE]

const GRANTS = {
  client: [],
  kernel: [],
  domain: ['kernel'],
  matching: RULES_AND_BASE,
  store: RULES_AND_BASE,
  sources: RULES_AND_BASE,
  classify: RULES_AND_BASE,
  channels: RULES_AND_BASE,
  payments: RULES_AND_BASE,
  models: RULES_AND_BASE,
  // The read side cuts and folds words as the engine does: docs/decisions/0003-read-side-uses-the-tokeniser.md.
  queries: ['store', 'matching', 'models/contract.ts', ...RULES_AND_BASE],
  commands: WRITE_SIDE,
  stream: ['sources/contract.ts', ...RULES_AND_BASE],
  pipeline: ['commands', 'stream/contract.ts', ...WRITE_SIDE],
  jobs: ['commands', ...WRITE_SIDE],
  operations: ['commands', 'queries', ...RULES_AND_BASE],
  cli: ['client', 'kernel'],
  'surfaces/(http|rest|openapi|mcp|guide|door)': ['surfaces', 'operations', ...RULES_AND_BASE],
  'surfaces/(auth|oauth|compat|inbound|web|cells)': [
    'surfaces',
    'operations',
    'commands',
    'queries',
    ...RULES_AND_BASE,
  ],
}

/** The same for folders of the dashboard. A folder that is not named is a feature. */
const WEB_GRANTS = {
  kit: [],
  api: [],
  app: ['api', 'kit'],
}
const WEB_SHARED = Object.keys(WEB_GRANTS)

const TESTS = '\\.(test|suite)\\.ts$'

function pathOf(room) {
  return room.endsWith('.ts') ? `${room.replace('.', '\\.')}$` : `${room}/`
}

/** One rule for a room: of ours, nothing but itself and what it was granted. Main is left to a rule of its own. */
function arrowsOf([room, granted]) {
  const allowed = [room, ...granted].map(pathOf).join('|')
  return {
    name: `arrows-of-${room.replace(/\W+/g, '-').replace(/-$/, '')}`,
    severity: 'error',
    comment: `${room} may import only: ${granted.join(', ') || 'nothing of ours'}.`,
    from: { path: `^src/${room}/`, pathNot: TESTS },
    to: { path: '^src/', pathNot: `^src/(main/|${allowed})` },
  }
}

function webArrowsOf([folder, granted]) {
  return {
    name: `arrows-of-web-${folder}`,
    severity: 'error',
    comment: `${folder} of the dashboard may import only: ${granted.join(', ') || 'nothing of ours'}.`,
    from: { path: `^web/src/${folder}/`, pathNot: TESTS },
    to: { path: '^web/src/', pathNot: `^web/src/(${[folder, ...granted].join('|')})/` },
  }
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(GRANTS).map(arrowsOf),
    ...Object.entries(WEB_GRANTS).map(webArrowsOf),
    {
      name: 'web-features-are-apart',
      severity: 'error',
      comment: 'A feature of the dashboard uses what all share, never another feature.',
      from: { path: '^web/src/([^/]+)/', pathNot: `${TESTS}|^web/src/(${WEB_SHARED.join('|')})/` },
      to: { path: '^web/src/', pathNot: `^web/src/($1|${WEB_SHARED.join('|')})/` },
    },
    {
      name: 'web-is-a-client',
      severity: 'error',
      comment: 'The dashboard knows the service by its client only, and the service does not know the dashboard.',
      from: { path: '^(src|web)/', pathNot: TESTS },
      to: { path: '^(src|web)/', pathNot: '^($1|src/client)/' },
    },
    {
      name: 'web-no-cycles',
      severity: 'error',
      comment: 'Of two files that need each other one holds what belongs in a third.',
      from: { path: '^web/src/' },
      to: { circular: true },
    },
    {
      name: 'rooms-are-known',
      severity: 'error',
      comment: 'A new room needs its line in the table.',
      from: { path: '^src/', pathNot: `^src/(main/|${Object.keys(GRANTS).map(pathOf).join('|')})` },
      to: {},
    },
    {
      name: 'main-is-the-end',
      severity: 'error',
      comment: 'Main knows everybody; nobody knows main.',
      from: { path: '^src/', pathNot: '^src/main/' },
      to: { path: '^src/main/' },
    },
    {
      name: 'adapters-are-strangers',
      severity: 'error',
      comment:
        'An adapter uses what its room shares, never another adapter. The drivers of providers are shared: several platforms are reached through each.',
      from: { path: `^src/(${ADAPTERS.join('|')})/([^/]+)/`, pathNot: TESTS },
      to: { path: '^src/$1/[^/]+/', pathNot: ['^src/$1/$2/', '^src/sources/providers/'] },
    },
    {
      name: 'client-runs-anywhere',
      severity: 'error',
      comment: 'The client package runs in browsers and depends on nothing.',
      from: { path: '^src/client/', pathNot: TESTS },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'] },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'The rules of the product touch no file, network or process.',
      from: { path: '^src/domain/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'database-behind-store',
      severity: 'error',
      comment: 'Only store and queries speak to the database.',
      from: { path: '^src/', pathNot: `^src/(store|queries)/|${TESTS}` },
      to: { path: 'node_modules/(pg|pg-[^/]+|kysely)/' },
    },
    {
      name: 'tests-are-ends',
      severity: 'error',
      comment: 'What runs does not import what tests it.',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: `${TESTS}|^test/|^bench/` },
    },
    {
      name: 'no-tools-at-run-time',
      severity: 'error',
      comment: 'Packages for development are not there in production.',
      from: { path: '^src/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Of two files that need each other one holds what belongs in a third.',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import that leads nowhere would also hide from the rules above.',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
  },
}
