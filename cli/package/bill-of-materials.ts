import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface Bill {
  metadata: { component: Record<string, unknown> }
}

/**
 * Returns the software bill of materials of what an installation runs (CycloneDX 1.5, JSON): every package of
 * package-lock.json without development packages, with version, licence and hash.
 */
export async function npmBill(root: string): Promise<string> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only']
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 64 << 20 })
  const bill = JSON.parse(stdout) as Bill
  // npm takes the name from the folder.
  Object.assign(bill.metadata.component, { name: 'sluice', type: 'application', properties: [] })
  return `${JSON.stringify(bill, null, 2)}\n`
}
