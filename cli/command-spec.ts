/** What an option or an operand takes. `integer` from `least` to `most`; `instant`: YYYY-MM-DD (UTC midnight) or RFC 3339. */
type Kind = 'text' | 'integer' | 'instant'

interface Described {
  /** One line. */
  help: string
}

/** What follows the names, in the order in which they stand. */
export interface OperandSpec extends Partial<Described> {
  /** How usage lines call it: `ACCOUNT`. */
  value: string
  oneOf?: readonly string[]
  optional?: true
}

export interface OptionSpec extends Described {
  /** Absent: a switch, that is on or off. */
  kind?: Kind
  /** How usage lines call what it takes: `DATE`. */
  value?: string
  oneOf?: readonly string[]
  required?: true
  default?: string | number
  least?: number
  most?: number
}

/** Without a help of its own it is what the command is for. */
export interface ActionSpec extends Partial<Described> {
  operands?: Readonly<Record<string, OperandSpec>>
  options?: Readonly<Record<string, OptionSpec>>
}

export const GROUPS = {
  run: 'Run it',
  watch: 'Watch it and mend it',
  data: 'Data',
  accounts: 'Accounts',
  money: 'Payments',
  develop: 'Develop it',
} as const

/** A command; its action without a name is what it does when none is named. */
export interface CommandSpec extends Described {
  name: string
  group: keyof typeof GROUPS
  actions: Readonly<Record<string, ActionSpec>>
  /** Said below the usage lines: what their capitals mean. */
  notes?: string
}

type OperandValue<O extends OperandSpec> =
  | (O extends { oneOf: readonly (infer One)[] } ? One : string)
  | (O extends { optional: true } ? undefined : never)

type Taken<O extends OptionSpec> = O extends { oneOf: readonly (infer One)[] }
  ? One
  : O extends { kind: 'integer' }
    ? number
    : O extends { kind: 'instant' }
      ? Date
      : O extends { kind: 'text' }
        ? string
        : boolean

type OptionValue<O extends OptionSpec> =
  | Taken<O>
  | (O extends { required: true } | { default: string | number }
      ? never
      : Taken<O> extends boolean
        ? never
        : undefined)

type ActionGiven<A extends ActionSpec> = {
  [K in keyof NonNullable<A['operands']>]: OperandValue<NonNullable<A['operands']>[K]>
} & { [K in keyof NonNullable<A['options']>]: OptionValue<NonNullable<A['options']>[K]> }

/** What a command line gives, checked: one kind for each action, by the name of the action. */
export type Given<S extends CommandSpec> = {
  [K in keyof S['actions']]: { action: K } & ActionGiven<S['actions'][K]>
}[keyof S['actions']]

/** What one action gives. */
export type GivenOf<S extends CommandSpec, K extends keyof S['actions']> = { action: K } & ActionGiven<
  S['actions'][K]
>

/** Of everything that prints data. */
export const JSON_OPTION = { json: { help: 'print JSON, for programs' } } as const
