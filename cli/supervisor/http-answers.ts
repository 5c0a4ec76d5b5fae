import { INSTALLATION_HEADER } from '../../ops/settings/installation-header.ts'

/**
 * Whether an HTTP server answers at all. Its status does not matter: it is about the server's parts, not the
 * process. With `installation` the server must belong to that installation.
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
