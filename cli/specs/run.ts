import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

const START_HELP = 'sets everything up and runs it; Ctrl-C stops it'

export const START = {
  name: 'start',
  group: 'run',
  help: START_HELP,
  actions: { '': { help: START_HELP } },
} as const satisfies CommandSpec

/** What operators look for first; "npm start" gave the other its name. */
export const UP = { ...START, name: 'up', help: 'the same as start' } as const satisfies CommandSpec

const TOPOLOGY_HELP =
  'runs the parts of production on this machine: Temporal on Postgres, PgBouncer, 2 APIs, 3 workers, gateway'

export const TOPOLOGY = {
  name: 'topology',
  group: 'run',
  help: TOPOLOGY_HELP,
  actions: { '': { help: TOPOLOGY_HELP } },
} as const satisfies CommandSpec

const MIGRATE_HELP = 'brings DATABASE_URL to the newest schema (start does it by itself)'

export const MIGRATE = {
  name: 'migrate',
  group: 'run',
  help: MIGRATE_HELP,
  actions: { '': { help: MIGRATE_HELP } },
} as const satisfies CommandSpec

const MCP_HELP = 'serves the API to agents by MCP, over stdin and stdout or to this machine over HTTP'

export const MCP = {
  name: 'mcp',
  group: 'run',
  help: MCP_HELP,
  actions: {
    '': {
      help: MCP_HELP,
      options: { http: { kind: 'integer', value: 'PORT', most: 65_535, help: 'over HTTP, at this port' } },
    },
  },
  notes: 'SLUICE_API_KEY is the key for stdin and stdout; SLUICE_URL is the API, else that which runs here.',
} as const satisfies CommandSpec

export const COMPLETION = {
  name: 'completion',
  group: 'run',
  help: 'prints what has a shell complete commands and options',
  actions: {
    '': {
      help: 'prints what has a shell complete commands and options',
      operands: { shell: { value: 'bash|zsh|fish', oneOf: ['bash', 'zsh', 'fish'] } },
    },
  },
  notes: `bash: sluice completion bash > ~/.local/share/bash-completion/completions/sluice
zsh:  sluice completion zsh > "\${fpath[1]}/_sluice"
fish: sluice completion fish > ~/.config/fish/completions/sluice.fish`,
} as const satisfies CommandSpec

const DOCTOR_HELP = 'checks everything it needs, and says how to mend what is wrong'

export const DOCTOR = {
  name: 'doctor',
  group: 'watch',
  help: DOCTOR_HELP,
  actions: {
    '': {
      help: DOCTOR_HELP,
      options: { offline: { help: 'ask no source and no chain, only what stands here' }, ...JSON_OPTION },
    },
  },
  notes: 'Exit code 1 when something fails. It shows no key and no secret, and changes nothing.',
} as const satisfies CommandSpec
