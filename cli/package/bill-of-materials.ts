import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withoutDevelopment } from './without-development.ts'

const run = promisify(execFile)

interface Bill {
  metadata: { component: Record<string, unknown> }
}

/**
 * Returns the software bill of materials of what an installation runs (CycloneDX 1.5, JSON): every package of
 * package-lock.json without development packages, with version, licence and hash.
 */
export async function npmBill(root: string): Promise<string> {
  const read = (name: string) => readFile(join(root, name), 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bill-'))
  try {
    // With --omit=dev npm also leaves out what both developers and users need, such as zod.
    const own = { ...(JSON.parse(await read('package.json')) as object), devDependencies: undefined }
    await writeFile(join(folder, 'package.json'), JSON.stringify(own))
    const lock = withoutDevelopment(await read('package-lock.json'))
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
    const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
    const { stdout } = await run('npm', args, { cwd: folder, maxBuffer: 64 << 20 })
    const bill = JSON.parse(stdout) as Bill
    // npm takes the name from the folder.
    Object.assign(bill.metadata.component, { name: 'sluice', type: 'application', properties: [] })
    return `${JSON.stringify(bill, null, 2)}\n`
  } finally {
    await rm(folder, { recursive: true })
  }
}
