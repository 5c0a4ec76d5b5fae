import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Closure {
  /** All reached files including the entries, as paths from the root. */
  files: string[]
  /** Number of files reached only through type imports. */
  typesOnly: number
  lines: number
}

const STATIC = /^(?:import|export)\s(?:(type\s)?[^'"]*?\sfrom\s+)?'(\.[^']+\.ts)'/gm
/** `import('./a.ts').A`, a type. An awaited or returned import() is a module loaded on demand. */
const TYPE = /(?<!await |=> )\bimport\('(\.[^']+\.ts)'\)\.\w/g
const ALL_TYPES = /^(?:import|export)\s+\{(?:\s*type\s+\w+(?:\s+as\s+\w+)?\s*,?)+\s*\}/

/**
 * All files of the repository that a reader reaches from the entries by static imports. Types count, because
 * a reader must open their files to know what is passed. Packages and modules loaded on demand do not.
 */
export function importClosure(root: string, entries: readonly string[]): Closure {
  const files = follow(root, entries, { types: true })
  const values = follow(root, entries, { types: false })
  return {
    files: [...files].sort(),
    typesOnly: files.size - values.size,
    lines: [...files].reduce(
      (sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1,
      0,
    ),
  }
}

function follow(root: string, entries: readonly string[], options: { types: boolean }): Set<string> {
  const reached = new Set(entries)
  for (const file of reached)
    for (const target of importsOf(readFileSync(join(root, file), 'utf8'), options))
      reached.add(join(file, '..', target))
  return reached
}

function importsOf(text: string, { types }: { types: boolean }): string[] {
  const named = [...text.matchAll(STATIC)]
    .filter(([statement, type]) => types || (type === undefined && !ALL_TYPES.test(statement)))
    .map(([, , target]) => target!)
  return types ? [...named, ...[...text.matchAll(TYPE)].map(([, target]) => target!)] : named
}
