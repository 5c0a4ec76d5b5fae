import { INSTALLATION_HEADER } from '../../ops/settings/installation-header.ts'

/**
 * Whether an HTTP server answers at all: its status says something about its parts, not about the process. `installation`:
 * it has to be one of this installation.
 */
export async function httpAnswers(
  url: string,
  { installation, ...init }: RequestInit & { installation?: string | undefined } = {},
): Promise<boolean> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(3_000) })
    await response.body?.cancel()
    return !installation || response.headers.get(INSTALLATION_HEADER) === installation
  } catch {
    return false
  }
}
