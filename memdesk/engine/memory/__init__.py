"""Operations that change memory. Each reads, decides and writes through the store's single writer."""
