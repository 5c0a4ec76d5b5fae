import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ApiError, badRequest, errorBody, headersTooLarge, requestTimeout } from './errors.ts'

/**
 * Answers an error of Node's HTTP parser. There is no request object yet, so the response is written by hand.
 */
export function answerClientError(options: {
  error: NodeJS.ErrnoException
  socket: Socket
  requestId: string
}): void {
  const { error, socket, requestId } = options
  // Node uses the same field to tell whether a response has begun on the connection.
  const busy =
    (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent === true
  // A closed connection, or one in the middle of another response, cannot carry this one.
  if (error.code === 'ECONNRESET' || !socket.writable || busy) return void socket.destroy()
  writeError({ error: toApiError(error.code), socket, requestId })
}

/** Writes a whole error response to a bare socket and closes it. */
export function writeError(options: { error: ApiError; socket: Socket; requestId: string }): void {
  const { error, socket, requestId } = options
  const body = JSON.stringify(errorBody(error, { requestId, path: '' }))
  const head = [
    `HTTP/1.1 ${error.statusCode} ${STATUS_CODES[error.statusCode]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function toApiError(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout()
  return badRequest()
}
