# Makes the calls that arrive as lines of JSON, over one connection of Ruby's standard client.
require 'json'
require 'net/http'

$stdout.sync = true
url = URI(ARGV.fetch(0))

Net::HTTP.start(url.host, url.port) do |http|
  $stdin.each_line do |line|
    call = JSON.parse(line)
    request = Net::HTTP.const_get(call['method'].capitalize).new(url.path + call['path'], call['headers'])
    request.body = call['body']
    response = http.request(request)
    puts JSON.generate(
      status: response.code.to_i,
      headers: response.to_hash.transform_values { |values| values.join(', ') },
      body: response.body.to_s
    )
  rescue StandardError => error
    puts JSON.generate(failure: "#{error.class}: #{error.message}")
  end
end
