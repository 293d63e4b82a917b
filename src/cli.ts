process.stdout.write("plancast\n");
