export interface Cleanup {
  add: (stop: () => unknown) => void
  run: () => Promise<void>
}

/** Ends what a benchmark has started, the last first; also when the benchmark itself is told to end. */
export function createCleanup(): Cleanup {
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
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  return { add: (stop) => void stops.push(stop), run }
}
