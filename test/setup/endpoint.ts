import { expect } from 'vitest'
import type { Route } from '../../api/route.ts'
import type { TestApi } from './api.ts'

/** Calls an endpoint with a key. Expects 200 and exactly the declared fields. */
export function endpoint(api: TestApi, options: { route: Route; key: string }) {
  const { route, key } = options
  return async (path: string, init?: RequestInit) => {
    const response = await api.get(path, key, init)
    // Tests read answers of many shapes. eslint-disable-next-line typescript/no-explicit-any
    const body = (await response.json()) as any
    expect({ status: response.status, body }).toMatchObject({ status: 200 })
    // Parsing drops undeclared fields, so the comparison finds them.
    expect(route.response.parse(body)).toEqual(body)
    return { body, headers: response.headers, credits: Number(response.headers.get('x-credits-cost')) }
  }
}

/** Status and message of an error response, without the reason: test/api/reasons.test.ts has those. */
export async function refusal(response: Response): Promise<[number, string]> {
  const body = (await response.json()) as { message: string }
  return [response.status, body.message.replace(/^(Invalid parameter: [^.]+)\. .*/, '$1')]
}
