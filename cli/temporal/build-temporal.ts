import { installGoProgram } from '../install-go-program.ts'
import type { FetchOptions } from './find-temporal.ts'

/** Builds the Temporal CLI with Go; takes 2 to 4 minutes on two cores, once. */
export async function buildTemporal({ version, ...rest }: FetchOptions): Promise<void> {
  const path = 'github.com/temporalio/cli/cmd/temporal'
  await installGoProgram({ ...rest, name: 'Temporal', path, version: `v${version}` })
}
