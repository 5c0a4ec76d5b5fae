/** A refusal as a vendor sends it. */
export interface Refusal {
  code: number
  message: string
  /** HTTP status of a single call; inside of a batch the status is 200. */
  status?: number
  /** The whole body where it is no JSON-RPC answer. */
  body?: unknown
}

export class RpcError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.name = 'RpcError'
    this.refusal = refusal
  }
}
