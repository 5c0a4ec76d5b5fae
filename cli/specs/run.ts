import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

export const START = {
  name: 'start',
  group: 'run',
  help: 'sets everything up and runs it; Ctrl-C stops it',
  actions: { '': {} },
} as const satisfies CommandSpec

/** What operators look for first; "npm start" gave the other its name. */
export const UP = { ...START, name: 'up', help: 'the same as start' } as const satisfies CommandSpec

export const TOPOLOGY = {
  name: 'topology',
  group: 'run',
  help: 'runs the parts of production on this machine: Temporal on Postgres, PgBouncer, 2 APIs, 3 workers, gateway',
  actions: { '': {} },
} as const satisfies CommandSpec

export const MIGRATE = {
  name: 'migrate',
  group: 'run',
  help: 'brings DATABASE_URL to the newest schema (start does it by itself)',
  actions: { '': {} },
} as const satisfies CommandSpec

export const DATABASE = {
  name: 'database',
  group: 'run',
  help: 'prints the address, data folder and port of the database, for psql and backups',
  actions: { '': {} },
  notes: 'The address holds the password of its owner. For a shell: eval "$(sluice database)"',
} as const satisfies CommandSpec

export const MCP = {
  name: 'mcp',
  group: 'run',
  help: 'serves the API to agents by MCP, over stdin and stdout or to this machine over HTTP',
  actions: {
    '': {
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
      operands: { shell: { value: 'bash|zsh|fish', oneOf: ['bash', 'zsh', 'fish'] } },
    },
  },
  notes: `bash: sluice completion bash > ~/.local/share/bash-completion/completions/sluice
zsh:  sluice completion zsh > "\${fpath[1]}/_sluice"
fish: sluice completion fish > ~/.config/fish/completions/sluice.fish`,
} as const satisfies CommandSpec

export const DOCTOR = {
  name: 'doctor',
  group: 'watch',
  help: 'checks everything it needs, and says how to mend what is wrong',
  actions: {
    '': {
      options: { offline: { help: 'ask no source and no chain, only what stands here' }, ...JSON_OPTION },
    },
  },
  notes: 'Exit code 1 when something fails. It shows no key and no secret, and changes nothing.',
} as const satisfies CommandSpec
