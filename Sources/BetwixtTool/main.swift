print("betwixt")
