import { parseArgs } from 'node:util'

/** Reads integer options with defaults, and `--json`. Throws for anything else. */
export function readArguments<Name extends string>(
  defaults: Record<Name, number>,
): Record<Name, number> & { json: boolean } {
  const names = Object.keys(defaults) as Name[]
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' }] as const)),
    },
  }) as { values: Record<string, string | boolean | undefined> }
  const number = (name: Name): number => {
    const value = values[name] === undefined ? defaults[name] : Number(values[name])
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} needs a whole number`)
    return value
  }
  const numbers = Object.fromEntries(names.map((name) => [name, number(name)])) as Record<Name, number>
  return { ...numbers, json: values['json'] === true }
}
