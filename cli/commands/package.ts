import type { Given } from '../command-spec.ts'
import { ROOT } from '../folders.ts'
import { buildPackage, cleanPackage } from '../package/build-package.ts'
import type { PACKAGE } from '../specs/develop.ts'

/** Prepares what "npm pack" puts into the package, or removes what would be in the way of a clone. */
export async function run({ action }: Given<typeof PACKAGE>): Promise<void> {
  if (action === 'clean') return cleanPackage(ROOT)
  await buildPackage(ROOT)
}
