import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { AreaSpec } from '../../activities/area.ts'

/** Folders that have one of their own for each area. */
const AREA_FOLDERS = ['activities', 'db', 'workflows', 'api', 'sandbox', 'test']
const SOURCE_FOLDERS = [...AREA_FOLDERS, 'cli', 'export']

/**
 * Removes an area from a checkout as the README says: its folders with its tables, its datasets, its simulated
 * upstreams, the recorded runs of its workflows, and every line of a registry or a document that names one of them.
 * Returns the files whose lines were changed.
 */
export function removeArea(root: string, area: AreaSpec): string[] {
  const workflows = readdirSync(join(root, 'workflows', area.name)).map((file) => file.replace(/\.ts$/, ''))
  const endpoints = readdirSync(join(root, 'api', area.name)).flatMap((file) =>
    [...readFileSync(join(root, 'api', area.name, file), 'utf8').matchAll(/^ {2}path: '(.*)',$/gm)].map(
      ([, path]) => path!,
    ),
  )
  const remove = (path: string) => rmSync(join(root, path), { recursive: true, force: true })
  for (const folder of AREA_FOLDERS) remove(`${folder}/${area.name}`)
  remove(`export/datasets/${area.name}.ts`)
  for (const { name } of area.sources) remove(`sandbox/upstreams/${name}.ts`)
  for (const name of workflows) remove(`test/replay/histories/${name}.json`)

  const variables = area.sources.flatMap(({ urlVariable, keyVariable }) => [
    urlVariable,
    keyVariable ?? urlVariable,
  ])
  const named = new RegExp(`\\b(${variables.join('|')})\\b`)
  const changed: string[] = []
  const edit = (path: string, change: (text: string) => string) => {
    const before = readFileSync(join(root, path), 'utf8')
    const after = change(before)
    if (after === before) return
    writeFileSync(join(root, path), after)
    changed.push(path)
  }
  for (const path of sources(root)) edit(path, (text) => withoutImports(root, path, text))
  edit('cli/service-environment.ts', (text) => withoutLines(text, (line) => named.test(line)))
  edit('docs/configuration.md', (text) => withoutLines(text, (line) => named.test(line)))
  edit('README.md', (text) => withoutLines(text, (line) => line.startsWith(`| \`${area.name}\` `)))
  edit('sandbox/README.md', (text) =>
    withoutLines(text, (line) => area.sources.some(({ name }) => line.startsWith(`| \`/${name}\` `))),
  )
  edit('test/start/examples.ts', (text) =>
    withoutLines(text, (line) => endpoints.some((path) => line.startsWith(`  '${path}': `))),
  )
  edit('db/schema.sql', (text) =>
    text
      .split('\n\n')
      .filter((section) => !area.tables.some((table) => section.startsWith(`table ${table}\n`)))
      .join('\n\n'),
  )
  return changed
}

function sources(root: string): string[] {
  return SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`),
  )
}

const IMPORT = /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']*)'\n/gm

/** Drops what comes from files that are gone, and the entries of lists that were made of it. */
function withoutImports(root: string, path: string, text: string): string {
  const names: string[] = []
  const kept = text.replace(IMPORT, (statement, list: string, specifier: string) => {
    const target = join(root, path, '..', specifier)
    if (existsSync(target)) return statement
    names.push(
      ...list.split(',').flatMap(
        (name) =>
          name
            .trim()
            .replace(/^type /, '')
            .split(' ')[0] || [],
      ),
    )
    return ''
  })
  return names.reduce(withoutEntry, kept)
}

/** An entry is a line of its own, or one of several on a line. */
function withoutEntry(text: string, name: string): string {
  const ownLine = new RegExp(`^ +(?:\\.\\.\\.|\\{.*\\b)?${name}\\b(?:\\(.*\\).*)?,\\n`, 'gm')
  const onLine = new RegExp(`(?:, \\b${name}\\b|\\b${name}, )(?=[^\\n]*[\\]{}])`, 'g')
  return text.replace(ownLine, '').replace(onLine, '')
}

function withoutLines(text: string, isGone: (line: string) => boolean): string {
  return text
    .split('\n')
    .filter((line) => !isGone(line))
    .join('\n')
}

/** Lines of code of an area, tests and simulator apart. */
export function areaSize(root: string, { name }: AreaSpec): number {
  const own = ['activities', 'db', 'workflows', 'api'].map((folder) => join(root, folder, name))
  return own
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(folder, relative('', file)), 'utf8').split('\n').length),
    )
    .reduce((total, lines) => total + lines, 0)
}
