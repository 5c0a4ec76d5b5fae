import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { npmBill } from './bill-of-materials.ts'
import { toJavaScript } from './to-javascript.ts'
import { withoutDevelopment } from './without-development.ts'

/** What an installation runs: the folders of the product, without what only developers use. */
const FOLDERS =
  'activities api cli clients db export gateway ops/settings ops/telemetry ops/temporal sandbox web workflows'
const LEFT_OUT = /^clients\/(python|typescript\/(dist|examples|tsconfig\.json))(\/|$)/
/** Pages that the service shows. */
const PAGES = ['CHANGELOG.md', 'docs/runbooks.md']

/**
 * Writes what "npm pack" puts into the package, beside the launcher: `dist/` with the product as JavaScript,
 * because Node strips no types inside node_modules, and npm-shrinkwrap.json, which gives users the packages that
 * were tested. Files keep their places, so that what a file reads beside it is found.
 */
export async function buildPackage(root: string): Promise<void> {
  const target = join(root, 'dist')
  // npm would read it in place of package-lock.json.
  await cleanPackage(root)
  const bill = await npmBill(root)
  await rm(target, { recursive: true, force: true })
  for (const folder of FOLDERS.split(' ')) await copyFolder({ root, folder, target })
  for (const page of PAGES) {
    await mkdir(dirname(join(target, page)), { recursive: true })
    await cp(join(root, page), join(target, page))
  }
  await writeFile(join(target, 'sbom.cdx.json'), bill)
  const { name, version, type } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<
    string,
    string
  >
  await writeFile(join(target, 'package.json'), JSON.stringify({ name, version, type }))
  const lock = withoutDevelopment(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const text = `${JSON.stringify(lock, null, 2)}\n`
  // The second one is part of the fingerprint of the workflows, as in a clone.
  for (const file of ['npm-shrinkwrap.json', 'dist/package-lock.json'])
    await writeFile(join(root, file), text)
}

/** Removes the file that npm prefers to package-lock.json, which would keep a clone from its development packages. */
export async function cleanPackage(root: string): Promise<void> {
  await rm(join(root, 'npm-shrinkwrap.json'), { force: true })
}

async function copyFolder({ root, folder, target }: Record<'root' | 'folder' | 'target', string>) {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const from = join(entry.parentPath, entry.name)
    const name = from.slice(root.length + 1)
    if (!entry.isFile() || LEFT_OUT.test(name)) continue
    const to = join(target, name)
    await mkdir(dirname(to), { recursive: true })
    if (!name.endsWith('.ts')) await cp(from, to)
    else await writeFile(to.replace(/\.ts$/, '.js'), toJavaScript(await readFile(from, 'utf8')))
  }
}
