import type { Upstream } from '../../sandbox/upstream.ts'
import type { Asked, FakeClock, Reply } from './double.ts'

/** Lets a double answer what it does not refuse from an upstream of the sandbox, at the time of its clock. */
export function answerFrom(upstream: Upstream, clock: Pick<FakeClock, 'now'>) {
  return async ({ method, path, query, headers, body }: Asked): Promise<Reply> =>
    await upstream({
      method,
      path: path.split('/').filter((part) => part !== ''),
      target: path,
      query,
      headers: headers as Record<string, string | undefined>,
      bodyText: body,
      now: clock.now() / 1_000,
    })
}
