const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
}

/** Text without markup and control characters, cut to `maxLength`; null when nothing is left. */
export function plainText(text: string | null | undefined, maxLength: number): string | null {
  if (!text) return null
  const plain = text
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<\/?[a-z!][^>]*>/gi, ' ')
    .replace(/&(#39|[a-z]+);/gi, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity)
    // Decoded entities can form markup, so the remaining angle brackets go as well.
    .replace(/[<>]/g, '')
    .replace(/[^\P{C}\n]|\uFFFD/gu, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\n ]*/g, '\n')
    .trim()
    .toWellFormed()
  return plain === '' ? null : plain.slice(0, maxLength).toWellFormed()
}
