import { defineSignal, setHandler } from '@temporalio/workflow'

const changed = defineSignal('changed')

/** Does the work, and again when something changed while it ran: changes that come together are one run. */
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
