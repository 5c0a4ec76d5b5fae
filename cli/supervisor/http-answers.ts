/** Whether an HTTP server answers at all: its status says something about its parts, not about the process. */
export async function httpAnswers(url: string, init: RequestInit = {}): Promise<boolean> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(3_000) })
    await response.body?.cancel()
    return true
  } catch {
    return false
  }
}
