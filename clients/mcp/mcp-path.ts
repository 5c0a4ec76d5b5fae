/** Path of MCP at the API. With its origin it is the resource for which agents ask tokens (RFC 8707). */
export const MCP_PATH = '/mcp'
