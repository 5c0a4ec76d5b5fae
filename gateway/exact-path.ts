/**
 * Whether a request target spells the fixed parts of a path exactly. The router decodes before it compares,
 * but a priced path must have one spelling for the gateway and every proxy in front of it.
 */
export function isExactPath({ template, target }: { template: string; target: string }): boolean {
  const given = target.split('?', 1)[0]!.split('/')
  const wanted = template.split('/')
  return (
    given.length === wanted.length &&
    wanted.every((part, i) => (part.startsWith('{') ? given[i] !== '' : part === given[i]))
  )
}
