console.error("what the page logs");
