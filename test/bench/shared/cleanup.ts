export interface Cleanup {
  add: (stop: () => unknown) => void
  run: () => Promise<void>
}

/**
 * Stops the parts of a benchmark in reverse order, also on SIGINT or SIGTERM. With `whole`, the parts stop at
 * the latest with that cleanup.
 */
export function createCleanup(whole?: Cleanup): Cleanup {
  const stops: (() => unknown)[] = []
  const run = async (): Promise<void> => {
    for (let stop = stops.pop(); stop; stop = stops.pop()) {
      try {
        await stop()
      } catch (error) {
        console.error('bench: cannot stop a part:', error)
      }
    }
  }
  const end = (): void => void run().finally(() => process.exit(130))
  if (whole) whole.add(run)
  else for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end)
  return { add: (stop) => void stops.push(stop), run }
}
