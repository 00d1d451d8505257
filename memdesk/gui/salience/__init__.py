"""What the salience panel is put together from: its days, its grid, the canvas of rows, the chart of one memory."""
