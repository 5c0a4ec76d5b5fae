import { defineSignal, setHandler } from '@temporalio/workflow'

const changed = defineSignal('changed')

/**
 * Runs the work, and again if a `changed` signal came meanwhile. Several signals during one run cause one
 * more run.
 */
export async function whileChanged(work: () => Promise<void>): Promise<void> {
  let isChanged = true
  setHandler(changed, () => {
    isChanged = true
  })
  while (isChanged) {
    isChanged = false
    await work()
  }
}
