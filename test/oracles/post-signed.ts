import { signatureHeaders } from '../../db/values/webhook-signature.ts'

/** Posts an event as a webhook does, and returns the status of the answer. `ageS`: seconds since it was signed. */
export async function postSigned(
  url: string,
  { secrets, ageS = 0 }: { secrets: readonly string[]; ageS?: number },
): Promise<number> {
  const body = JSON.stringify({ type: 'coin.price', data: {} })
  const at = new Date(Date.now() - ageS * 1_000)
  const headers = signatureHeaders({ id: 'msg_1', body, at, secrets })
  return (await fetch(url, { method: 'POST', body, headers })).status
}
