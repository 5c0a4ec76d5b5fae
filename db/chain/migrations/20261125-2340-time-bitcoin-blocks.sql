-- Bitcoin's blocks are read by a follower too. They come at random times, every ten minutes on average.
update networks set block_ms = 600000 where id = 'bitcoin';
