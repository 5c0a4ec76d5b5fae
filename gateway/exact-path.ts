/**
 * Whether a request target spells the fixed parts of a path as they are. The router decodes before it compares; here a
 * path has one spelling, whoever stands between.
 */
export function isExactPath({ template, target }: { template: string; target: string }): boolean {
  const given = target.split('?', 1)[0]!.split('/')
  const wanted = template.split('/')
  return (
    given.length === wanted.length &&
    wanted.every((part, i) => (part.startsWith('{') ? given[i] !== '' : part === given[i]))
  )
}
