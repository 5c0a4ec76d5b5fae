import { createDeliverer, type DeliverDeps } from '../../activities/events/deliver-webhooks.ts'

/** Sends what is due. Ends once a round finds nothing and nothing runs. */
export async function deliverDue(deps: DeliverDeps): Promise<void> {
  const deliverer = createDeliverer(deps)
  while (await deliverer.round()) await deliverer.finish()
  await deliverer.finish()
}
