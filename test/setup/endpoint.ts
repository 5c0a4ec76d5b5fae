import { expect } from 'vitest'
import type { Route } from '../../api/route.ts'
import type { TestApi } from './api.ts'

/** Calls an endpoint with a key; the answer has to be 200 and to hold the declared fields and no others. */
export function endpoint(api: TestApi, options: { route: Route; key: string }) {
  const { route, key } = options
  return async (path: string, init?: RequestInit) => {
    const response = await api.get(path, key, init)
    // Tests look into answers of every shape.
    // eslint-disable-next-line typescript/no-explicit-any
    const body = (await response.json()) as any
    expect({ status: response.status, body }).toMatchObject({ status: 200 })
    // Parsing drops what the schema does not name.
    expect(route.response.parse(body)).toEqual(body)
    return { body, headers: response.headers, credits: Number(response.headers.get('x-credits-cost')) }
  }
}

/** The status and the message of an answer that is an error. */
export async function refusal(response: Response): Promise<[number, string]> {
  const body = (await response.json()) as { message: string }
  return [response.status, body.message]
}
