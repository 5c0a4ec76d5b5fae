# Prints each event of an account's stream, with Ruby's standard client, and goes on after a broken connection.
require 'json'
require 'net/http'

$stdout.sync = true
url = URI("#{ENV.fetch('API')}/events/stream")
last = nil
seen = {}

loop do
  headers = { 'X-API-KEY' => ENV.fetch('KEY') }
  headers['Last-Event-ID'] = last if last
  begin
    Net::HTTP.start(url.host, url.port, read_timeout: 60) do |http|
      http.request(Net::HTTP::Get.new(url, headers)) do |response|
        status = response.code.to_i
        abort "the stream answers #{status}" if status >= 400 && status < 500 && status != 429
        text = +''
        fields = {}
        response.read_body do |part|
          text << part
          while (line = text.slice!(/\A.*\n/))
            name, value = line.chomp.split(': ', 2)
            if name
              fields[name] = value
              next
            end
            last = fields['id'] || last
            if fields['data']
              event = JSON.parse(fields['data'])
              puts "#{event['type']} #{JSON.generate(event)}" unless seen[event['id']]
              seen[event['id']] = true
            end
            fields = {}
          end
        end
      end
    end
  rescue SystemCallError, IOError, Timeout::Error
    # The connection broke, or there is none: again after a while.
  end
  sleep 3
end
