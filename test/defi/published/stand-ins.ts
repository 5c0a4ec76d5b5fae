import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// SDKs of protocols ask for far more packages than the layouts and the arithmetic that tests use of them.

/** Stands for everything that is there when an SDK loads, and that no test uses. */
const anything: any = new Proxy(function () {} as object, {
  get: (_, name) => (name === 'prototype' ? {} : name === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
  construct: () => anything,
})

/** A module of which only some members are what they say. */
export const standIn = (known: object = {}): object =>
  Object.assign(Object.create(anything), known, { __esModule: false })

/** Loads a CommonJS file with its relative imports. `modules`: what stands for packages; others are found as usual. */
export function loadWith(file: string, modules: (name: string) => object | null): any {
  const loaded = new Map<string, { exports: any }>()
  const load = (at: string): any => {
    const known = loaded.get(at)
    if (known) return known.exports
    const module = { exports: {} as any }
    loaded.set(at, module)
    const own = createRequire(at)
    const find = (name: string) => {
      if (!name.startsWith('.')) return modules(name) ?? own(name)
      if (name.endsWith('.json')) return own(name)
      const path = join(dirname(at), name)
      return load([`${path}.js`, join(path, 'index.js'), path].find((one) => existsSync(one))!)
    }
    // oxlint-disable-next-line typescript/no-implied-eval -- a CommonJS module, with other modules than it finds
    new Function('require', 'module', 'exports', readFileSync(at, 'utf8'))(find, module, module.exports)
    return module.exports
  }
  return load(join(process.cwd(), 'node_modules', file))
}
