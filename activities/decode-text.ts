/**
 * Decodes bytes with the character set of the header, else of the XML declaration, else UTF-8. An unknown one
 * counts as UTF-8.
 */
export function decodeText(bytes: Buffer, contentType: string | undefined): string {
  const declared = /^.{0,3}<\?xml[^>]{0,200}?encoding=["']([\w.:-]+)["']/s.exec(
    bytes.toString('latin1', 0, 250),
  )
  const charset = (
    /charset=["']?([\w.:-]+)/i.exec(contentType ?? '')?.[1] ??
    declared?.[1] ??
    'utf-8'
  ).toLowerCase()
  if (charset === 'utf-8' || charset === 'utf8') return bytes.toString('utf8')
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}
