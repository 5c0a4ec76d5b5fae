import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { AreaSpec } from '../../activities/area.ts'
import { operationId } from '../../api/operation-id.ts'

/** Folders with one subfolder per area. */
const AREA_FOLDERS = ['activities', 'db', 'workflows', 'api', 'sandbox', 'test']
const SOURCE_FOLDERS = [...AREA_FOLDERS, 'cli', 'export']

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Removes an area from a checkout as docs/architecture.md describes. Returns the edited files. */
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
  for (const name of workflows) remove(`test/replay/histories/${name}.json`)
  for (const path of endpoints)
    for (const method of METHODS) remove(`api/recorded/${operationId({ method, path })}.json`)

  const changed: string[] = []
  const edit = (path: string, isGone: (line: string) => boolean) => {
    const before = readFileSync(join(root, path), 'utf8')
    const after = before
      .split('\n')
      .filter((line) => !isGone(line))
      .join('\n')
    if (after === before) return
    writeFileSync(join(root, path), after)
    changed.push(path)
  }
  for (const path of sources(root)) edit(path, (line) => importsNothing(root, path, line))
  edit('README.md', (line) => line.startsWith(`| \`${area.name}\` `))
  edit('test/start/examples.ts', (line) => endpoints.some((path) => line.startsWith(`  '${path}': `)))
  edit('test/api/shared-world.ts', (line) => endpoints.some((path) => line.startsWith(`  '${path}`)))
  return changed
}

function sources(root: string): string[] {
  return SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`),
  )
}

/** Whether a line of a registry exports a file that does not exist. */
function importsNothing(root: string, path: string, line: string): boolean {
  const target = /^export \{ \w+ \} from '(\..*)'$/.exec(line)?.[1]
  return target !== undefined && !existsSync(join(root, path, '..', target))
}

/** Lines of code of an area without tests and simulator. */
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
